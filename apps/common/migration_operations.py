"""Migration operations beyond Django's own."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Create many tables in one operation. They may refer to each other in any order.

    Django's `CreateModel` renders again every model that is related to the new one. Here nearly all
    models are related to an account or a group, so this took 92 % of the time to migrate an empty
    database. A new table does not change other models, so this operation renders only the new ones.
    """

    serialization_expand_args = ["models"]

    def __init__(self, models: Sequence[CreateModel]) -> None:
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to the state, and render them if the state is already rendered."""
        apps = state.__dict__.pop("apps", None)
        before = set(state.models)
        for model in self.models:
            model.state_forwards(app_label, state)
        # The models of a copied state belong to the original state and would not know the new
        # ones. Then Django renders everything at the next access.
        if apps is not None and all(model._meta.apps is apps for model in apps.get_models()):
            apps.render_multiple(
                [model for key, model in state.models.items() if key not in before]
            )
            state.__dict__["apps"] = apps

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the tables in order."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the tables in reverse order."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Return a one-line description of the operation."""
        return "Create models " + ", ".join(model.name for model in self.models)
