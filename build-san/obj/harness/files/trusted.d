build-san/obj/harness/files/trusted.o: harness/files/trusted.c \
 harness/files/trusted.h src/base/status.h src/base/file_kind.h \
 src/base/log.h src/base/trouble.h
harness/files/trusted.h:
src/base/status.h:
src/base/file_kind.h:
src/base/log.h:
src/base/trouble.h:
