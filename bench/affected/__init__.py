"""Find the tests that a changed line can break: the test map, and the choice of tests."""
