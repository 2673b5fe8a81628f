"""The Celery application: workers work the outbox's queues off, beat keeps the clock. Only used where CELERY_BROKER_URL is set.

Nothing is lost with a worker or a broker: what is to be done stands in the outbox, a task only says that there is something.
"""

import os

import kombu
from celery import Celery

from apps.common.background.queues import JOBS_TASK, QUEUES, VISIBLE_AGAIN_SECONDS, Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.prod")
TICK_SECONDS = 10.0

app = Celery("mall")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.broker_connection_timeout = 2
app.conf.broker_connection_retry_on_startup = True
# A publisher tries a broker that is away once (by itself kombu tries for six seconds more): beat delivers what a lost nudge left.
app.conf.broker_transport_options = {
    "max_retries": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
    "visibility_timeout": VISIBLE_AGAIN_SECONDS,
}
app.conf.task_default_queue = Queue.INTERACTIVE.value
# A worker that is told of no queue works all of them off.
app.conf.task_queues = [kombu.Queue(queue.value) for queue in Queue]
app.conf.task_routes = {rule.task: {"queue": queue.value} for queue, rule in QUEUES.items()}
# Sent every so often and thrown away where nobody took it until the next: a worker that comes back finds no heap of them.
_tick = {"schedule": TICK_SECONDS, "options": {"expires": TICK_SECONDS}}
app.conf.beat_schedule = {
    "outbox": {"task": QUEUES[Queue.INTERACTIVE].task, **_tick},
    "outbox-mail": {"task": QUEUES[Queue.MAIL].task, **_tick},
    "outbox-bulk": {"task": QUEUES[Queue.BULK].task, **_tick},
    "periodic-jobs": {"task": JOBS_TASK, "schedule": 30.0, "options": {"expires": 30.0}},
}
app.autodiscover_tasks()
