build-san/obj/tests/care/sanitizer.o: tests/care/sanitizer.c
