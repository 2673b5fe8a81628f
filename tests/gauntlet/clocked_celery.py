"""The mall's Celery application for a test: beat sends every second, keys of the broker begin with BROKER_PREFIX.

A worker is under the clock of MALL_CLOCK. A beat has none: it compares with Python's own clock, and which period is due the jobs say.
"""

import os

from tests.clocked import clock_by_file

if "MALL_CLOCK" in os.environ:
    clock_by_file()

from mall.celery import app

app.conf.broker_transport_options = {**app.conf.broker_transport_options, "global_keyprefix": os.environ["BROKER_PREFIX"]}
for entry in app.conf.beat_schedule.values():
    entry["schedule"] = 1.0

__all__ = ["app"]
