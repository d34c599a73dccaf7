#!/usr/bin/python3
"""What Python's multiprocessing is made of: all waits last as long as they should, by whatever method
processes are started."""
import multiprocessing, sys, time


def took(since, expected):
    late = time.monotonic() - since - expected
    return -0.001 < late < (0.02 if "exact" in sys.argv else 5)


def server(questions, answers):
    for number in iter(questions.get, None):
        time.sleep(0.05)
        answers.put(number * number)


def waiter(event, semaphore, done):
    event.wait()
    semaphore.acquire()
    done.value += 1


def adder(lock, shared, barrier):
    for _ in range(5):
        with lock:
            was = shared.value
            time.sleep(0.002)
            shared.value = was + 1
    barrier.wait()


def follower(condition, shared):
    with condition:
        condition.wait_for(lambda: shared.value == 3)
        shared.value = 4
        condition.notify_all()


def square(number):
    time.sleep(0.01)
    return number * number


def fill(table, key):
    table[key] = key * key


def queues(mp):
    questions, answers = mp.Queue(), mp.Queue()
    child = mp.Process(target=server, args=(questions, answers))
    child.start()
    questions.put(1)
    assert answers.get() == 1
    since = time.monotonic()
    for number in range(3):
        questions.put(number)
    assert [answers.get(timeout=5) for _ in range(3)] == [0, 1, 4]
    assert took(since, 0.15)
    questions.put(None)
    child.join(5)
    assert child.exitcode == 0


def events(mp):
    event, semaphore, done = mp.Event(), mp.Semaphore(0), mp.Value("i", 0)
    children = [mp.Process(target=waiter, args=(event, semaphore, done)) for _ in range(2)]
    for child in children:
        child.start()
    time.sleep(1)
    since = time.monotonic()
    event.set()
    time.sleep(0.1)
    semaphore.release()
    semaphore.release()
    for child in children:
        child.join(5)
    assert done.value == 2
    assert took(since, 0.1)


def locks(mp):
    lock, shared, barrier = mp.Lock(), mp.Value("i", 0, lock=False), mp.Barrier(3)
    children = [mp.Process(target=adder, args=(lock, shared, barrier)) for _ in range(2)]
    for child in children:
        child.start()
    adder(lock, shared, barrier)
    for child in children:
        child.join(5)
    assert shared.value == 15, shared.value


def conditions(mp):
    condition, shared = mp.Condition(), mp.Value("i", 0)
    child = mp.Process(target=follower, args=(condition, shared))
    child.start()
    time.sleep(0.5)
    with condition:
        shared.value = 3
        condition.notify()
        assert condition.wait_for(lambda: shared.value == 4, 5)
    child.join(5)


def pools(mp):
    with mp.Pool(3) as pool:
        assert pool.map(square, range(12)) == [n * n for n in range(12)]
        assert pool.apply_async(square, (5,)).get(5) == 25
        assert sorted(pool.imap_unordered(square, range(4))) == [0, 1, 4, 9]


def managers(mp):
    with mp.Manager() as manager:
        table = manager.dict()
        children = [mp.Process(target=fill, args=(table, key)) for key in range(3)]
        for child in children:
            child.start()
        for child in children:
            child.join(5)
        assert dict(table) == {0: 0, 1: 1, 2: 4}


if __name__ == "__main__":
    method = multiprocessing.get_context(sys.argv[1])
    for part in (queues, events, locks, conditions, pools, managers):
        part(method)
        print("%s: %s right" % (sys.argv[1], part.__name__), flush=True)
