"""The `sql` engine: the default engine, the fallback, and the reference for tests of another
engine.
"""
