"""Benchmarks, run with `make bench`. Each module bench_….py registers its benchmarks."""
