"""Several threads on the same packets, values and arrays."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from support import same
from vectors import DATA, all_vectors, damaged

import gdvar


@pytest.fixture(autouse=True)
def quick_switches() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def run(*jobs: Callable[[int], None], times: int = 2) -> None:
    """Runs each job in several threads at once; the first exception comes out."""
    failures: list[BaseException] = []
    start = threading.Barrier(times * len(jobs))

    def work(job: Callable[[int], None], seed: int) -> None:
        try:
            start.wait()
            job(seed)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(job, i)) for i, job in enumerate(jobs * times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


VECTORS = [v for v in all_vectors() if len(v.data) < 2000]
VALUES = [gdvar.loads(v.data, dialect=v.dialect, objects=True) for v in VECTORS]


def test_reading_and_writing_at_once() -> None:
    broken = damaged()

    def read(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(3000):
            i = chance.randrange(len(VECTORS))
            vector = VECTORS[i]
            assert same(gdvar.loads(vector.data, dialect=vector.dialect, objects=True), VALUES[i])

    def write(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(3000):
            i = chance.randrange(len(VECTORS))
            packet = gdvar.dumps(VALUES[i], dialect=VECTORS[i].dialect, objects=True)
            assert len(packet) == len(VECTORS[i].data)

    def refuse(seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(3000):
            try:
                gdvar.loads(chance.choice(broken))
            except gdvar.DecodeError as error:
                assert error.code

    run(read, write, refuse)


def test_large_packets_without_the_gil() -> None:
    data = (DATA / "workloads" / "g4" / "mesh.bin").read_bytes()
    value = gdvar.loads(data)
    document = gdvar.Document(data)

    def check(_: int) -> None:
        for _ in range(20):
            assert gdvar.validate(data) == len(data)
            with pytest.raises(gdvar.TruncatedError):
                gdvar.validate(data[:-4])

    def read(_: int) -> None:
        for _ in range(4):
            assert same(gdvar.loads(data), value)
            assert same(gdvar.Document(data).value(), value)

    def look(_: int) -> None:
        for _ in range(50):
            for key in document:
                assert document[key] is not None

    run(check, read, look)


def test_typed_containers_are_made_while_others_read() -> None:
    """Their classes are Python code, in which threads take turns, with a packet half made."""
    string = gdvar.ContainerType("builtin", "String")

    def make(seed: int) -> Any:
        return [
            {
                "first": gdvar.Array(["x"], string),
                "second": seed,
                "third": seed % 2 == 0,
                "last": i % (seed + 1),
            }
            for i in range(30)
        ]

    def read(seed: int) -> None:
        value = make(seed)
        packet = gdvar.dumps(value)
        for _ in range(150):
            assert same(gdvar.loads(packet), value)

    run(read, times=6)


def test_one_array_in_many_threads() -> None:
    packet = gdvar.dumps(gdvar.PackedVector3Array([(1, 2, 3)] * 1000))
    array = gdvar.loads(packet)

    def use(_: int) -> None:
        for i in range(200):
            assert array[i] == (1, 2, 3) and len(array[i:]) == 1000 - i
            assert np.asarray(array).sum() == 6000
            assert gdvar.dumps(array) == packet

    run(use, times=4)


def test_a_list_that_another_thread_changes() -> None:
    shared: list[Any] = ["text %d" % i * 3 for i in range(200)]
    nested: dict[str, Any] = {"list": shared, "numbers": list(range(100))}
    done = threading.Event()

    def write(_: int) -> None:
        for _ in range(300):
            try:
                gdvar.loads(gdvar.dumps([nested, np.int64(1), nested]))
            except (RuntimeError, gdvar.EncodeError, IndexError):
                pass
        done.set()

    def change(seed: int) -> None:
        chance = random.Random(seed)
        while not done.is_set():
            shared[chance.randrange(100) :] = [
                "other %d" % chance.randrange(1000) * 2
            ] * chance.randrange(150)
            shared.extend(["more"] * 100)
            nested[str(chance.randrange(50))] = [shared]
            if len(nested) > 40:
                nested.popitem()

    run(write, change, times=1)
