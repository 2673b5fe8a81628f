"""The `sql` engine: the embedded default, the fallback, and the oracle of the other one."""
