"""Adding many models at once gives the same state as Django's own operations."""

from __future__ import annotations

import pytest
from django.db import models
from django.db.migrations import CreateModel
from django.db.migrations.state import ProjectState

from apps.common.migration_operations import CreateModels


def model(name: str, *to: str) -> CreateModel:
    """Return the operation that creates a model with foreign keys to other models."""
    return CreateModel(
        name,
        [
            ("id", models.BigAutoField(primary_key=True)),
            *((key.lower(), models.ForeignKey(f"shelf.{key}", models.CASCADE)) for key in to),
        ],
    )


@pytest.fixture
def state() -> ProjectState:
    """A rendered state with a box in it."""
    state = ProjectState()
    model("Box").state_forwards("shelf", state)
    assert [row.__name__ for row in state.apps.get_models()] == ["Box"]
    return state


def test_created_models_may_reference_each_other_in_any_order(state: ProjectState) -> None:
    CreateModels([model("Lid", "Hinge", "Box"), model("Hinge", "Lid")]).state_forwards(
        "shelf", state
    )
    lid, hinge = state.apps.get_model("shelf", "Lid"), state.apps.get_model("shelf", "Hinge")
    assert lid._meta.get_field("hinge").related_model is hinge
    assert hinge._meta.get_field("lid").related_model is lid


def test_existing_model_class_stays_and_gets_the_new_relation(state: ProjectState) -> None:
    box = state.apps.get_model("shelf", "Box")
    CreateModels([model("Lid", "Box")]).state_forwards("shelf", state)
    assert state.apps.get_model("shelf", "Box") is box
    assert [relation.related_model.__name__ for relation in box._meta.related_objects] == ["Lid"]


def test_cloned_state_renders_the_new_relation_separately(state: ProjectState) -> None:
    copy = state.clone()
    CreateModels([model("Lid", "Box")]).state_forwards("shelf", copy)
    box = copy.apps.get_model("shelf", "Box")
    assert [relation.related_model.__name__ for relation in box._meta.related_objects] == ["Lid"]
    assert state.apps.get_model("shelf", "Box")._meta.related_objects == ()


def test_unrendered_state_stays_unrendered(state: ProjectState) -> None:
    fresh = ProjectState()
    CreateModels([model("Lid")]).state_forwards("shelf", fresh)
    assert ("shelf", "lid") in fresh.models
    assert "apps" not in fresh.__dict__
