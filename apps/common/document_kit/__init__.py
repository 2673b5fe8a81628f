"""The document kit: the code that orders, returns, cancellations and applications share.

A document is a tenant-owned row with a number, a `status` (django-fsm), a requester and a timeline.

- `flow.DocumentFlow`: make a transition, save it, write its event, publish it through the outbox.
- `flow.MessageThread`: the messages between the customer and the staff, with unread counts.
- `views.DocumentViewSet` and `views.document_verb`: the list with tabs, the detail and the verbs.
- `apps.office.acts`: the acts of the staff in the back office.

The app keeps its locks, its states and its texts. Take the lock first: the kit never locks.
"""
