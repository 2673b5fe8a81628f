"""A separate mall for one journey, with a clock that the journey sets."""
