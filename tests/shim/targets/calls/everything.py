#!/usr/bin/python3 -S
# What Python programs wait with: threads, queues, pools, children, asyncio. Prints what came, and
# when.
import asyncio
import concurrent.futures
import multiprocessing
import queue
import random
import subprocess
import threading
import time

start = time.monotonic()


def say(*words):
    print(*words, round(time.monotonic() - start, 3), flush=True)


def threads():
    box = queue.Queue()

    def work(n):
        for i in range(3):
            time.sleep(0.1 * n)
            box.put((n, i))

    workers = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3)]
    for worker in workers:
        worker.start()
    say(len([box.get(timeout=5) for _ in range(9)]), "things from threads")
    for worker in workers:
        worker.join()


async def tick(n):
    for _ in range(3):
        await asyncio.sleep(0.05 * n)
    return n


async def echo(reader, writer):
    writer.write(await reader.readline())
    await writer.drain()
    writer.close()


async def server_and_client():
    ticks = await asyncio.gather(tick(1), tick(2))
    await asyncio.start_server(echo, "127.0.0.1", 7777)
    reader, writer = await asyncio.open_connection("localhost", 7777)
    writer.write(b"hello\n")
    return ticks, await reader.readline()


def child(pipe):
    time.sleep(0.3)
    pipe.send("a child")


def children():
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=child, args=(theirs,))
    process.start()
    say(ours.recv())
    process.join()
    say("ended with", process.exitcode)


threads()
say(subprocess.run(["sh", "-c", "sleep 0.2; echo a shell"], capture_output=True).stdout)
say(asyncio.run(server_and_client()), random.random())
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    say(list(pool.map(lambda n: (time.sleep(0.01 * n), n)[1], range(6))))
children()
say("all")
