"""Benchmarks: `make bench`. A module of this package named bench_….py registers what it measures."""
