"""The mall's Celery application for a test: beat sends every second, and the broker's keys
begin with BROKER_PREFIX.

A worker uses the clock of MALL_CLOCK. Beat uses the real clock; the jobs decide which period is
due.
"""

import os

from tests.clocked import clock_by_file

if "MALL_CLOCK" in os.environ:
    clock_by_file()

from mall.celery import app

app.conf.broker_transport_options = {
    **app.conf.broker_transport_options,
    "global_keyprefix": os.environ["BROKER_PREFIX"],
}
for entry in app.conf.beat_schedule.values():
    entry["schedule"] = 1.0

__all__ = ["app"]
