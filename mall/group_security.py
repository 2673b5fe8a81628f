"""The parts of /api/Group that need the second factor of people: the requirement of a second factor
changes only with the owner's proof, and its effect is shown before.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.views import AuthedRequest
from apps.identity.errors import OwnFactorFirst
from apps.identity.selectors import count_without_factor
from apps.identity.services.second_factor import has_second_factor
from apps.identity.shared_serializers import OwnerProofSerializer, drop_proof, prove_owner
from apps.org.api.groups import GroupBodySerializer, GroupViewSet
from apps.org.models import Account
from apps.org.services.group import refuse_group_change


class GuardedGroupBodySerializer(OwnerProofSerializer, GroupBodySerializer):
    """A change of `RequiresSecondFactor` needs the own password, and the own second factor."""


class FactorGapSerializer(serializers.Serializer[Any]):
    """How many active people of the group would have to set up a second factor."""

    People = serializers.IntegerField()
    Without = serializers.IntegerField()
    HasOwn = serializers.BooleanField()


class GuardedGroupViewSet(GroupViewSet):
    """The group's endpoints, with the proof of the owner."""

    @extend_schema(request=GuardedGroupBodySerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        body = GuardedGroupBodySerializer.parse(request, partial=True)
        changes = drop_proof(body)
        _prove_requirement(request, pk, changes)
        return self.save_changes(request, pk, changes)

    @extend_schema(responses=FactorGapSerializer)
    @action(detail=True, methods=["get"], url_path="SecondFactorGap")
    def second_factor_gap(self, request: AuthedRequest, pk: str) -> Response:
        """Return how many people the requirement of a second factor would reach."""
        refuse_group_change(actor=request.user, pk=pk)
        people = Account.objects.filter(is_active=True)
        return Response(
            {
                "People": people.count(),
                "Without": count_without_factor(people),
                "HasOwn": has_second_factor(request.user),
            }
        )


def _prove_requirement(request: AuthedRequest, pk: str, changes: dict[str, Any]) -> None:
    """Ask for the proof of the owner if the requirement changes.

    Raises:
        GroupNotFound, Forbidden: as group_update.
        OwnFactorFirst: the caller would require what he does not have himself.
        ValidationFailed, WrongSecondFactor, SecondFactorSlowed: as prove_owner.
    """
    refuse_group_change(actor=request.user, pk=pk)
    group = request.user.group
    is_required = changes.get("requires_second_factor")
    if group is None or is_required is None or is_required == group.requires_second_factor:
        return
    if is_required and not has_second_factor(request.user):
        raise OwnFactorFirst
    prove_owner(request)
