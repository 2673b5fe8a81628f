"""Short enough for one line of a list, and as timelines, sheets and letters write them."""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = "Y-m-d H:i"
