"""What migrations are written with beyond Django's own operations."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """New tables, each in the shape it begins with; they may point at each other in any order.

    For a `CreateModel` Django renders anew every model that is related to the new one, and here nearly all are related to an
    account or a group: that was 92 % of the time an empty database took. A new table changes no other, so here only the new
    models are rendered, into what there is, as when an app is loaded.
    """

    serialization_expand_args = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Take the models into the state, and render them where the state is rendered."""
        apps = state.__dict__.pop("apps", None)
        before = set(state.models)
        for model in self.models:
            model.state_forwards(app_label, state)
        # Models of a copied state belong to the original and would not be told of the new ones: then all is rendered when next asked for.
        if apps is not None and all(model._meta.apps is apps for model in apps.get_models()):
            apps.render_multiple([model for key, model in state.models.items() if key not in before])
            state.__dict__["apps"] = apps

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Make the tables in their order."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Drop the tables, the last one first."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return what is made, in one line."""
        return "Create models " + ", ".join(model.name for model in self.models)
