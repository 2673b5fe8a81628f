"""A mall of a walk's own, under a clock that the walk sets."""
