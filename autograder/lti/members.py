"""Read the class from a platform's Names and Role Provisioning Services."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from autograder.roster.csv_lists import ClassList, ListedPerson, cell_text

_VOCABULARY = "http://purl.imsglobal.org/vocab"

# A role in the course, as a full URI or a short name, with or without a subrole; all other roles
# are for the whole school.
_ROLE = re.compile(rf"(?:{re.escape(_VOCABULARY)}/lis/v2/membership[#/])?(\w+)(?:[#/]\w+)?")
_TEST_USER = f"{_VOCABULARY}/lti/system/person#TestUser"
_STUDENTS = {"Learner", "Member"}

_FIELDS = {
    "given_name": "first_name",
    "family_name": "last_name",
    "email": "email",
    "lis_person_sourcedid": "sis_id",
    "user_id": "lti_user_id",
}


def read_members(members: Iterable[Mapping[str, Any]]) -> ClassList:
    """Read a class.

    Args:
        members: the platform's list.

    Returns:
        Learners as entries. Members with a different role in the course, test users and inactive
        members are left out; a member without an id is a problem.
    """
    listed = ClassList()
    for number, member in enumerate(members, 1):
        texts = {name: cell_text(value) for name, value in member.items() if isinstance(value, str)}
        apart = " ".join(filter(None, map(texts.get, ("given_name", "family_name"))))
        name = texts.get("name") or apart or texts.get("user_id", "without a name")
        place = f"member {number}, {name}"
        fields = {ours: texts[theirs] for theirs, ours in _FIELDS.items() if texts.get(theirs)}
        entry = ListedPerson(place, fields, "" if apart else texts.get("name", ""))
        if why := _why_not(member):
            listed.left_out.append(f"{place}: {why}")
        elif "lti_user_id" not in fields:
            listed.refuse(entry, "the platform gave no user_id")
        else:
            listed.add(entry)
    return listed


def _why_not(member: Mapping[str, Any]) -> str:
    """Why a member isn't a student of the class, or ""."""
    given = member.get("roles")
    roles = [role for role in given if isinstance(role, str)] if isinstance(given, list) else []
    if _TEST_USER in roles:
        return "the platform's test user"
    own = {found[1] for found in map(_ROLE.fullmatch, roles) if found}
    if own - _STUDENTS or "Learner" not in own:
        return f"{cell_text(' and '.join(sorted(own)) or 'without a role')}, not a student"
    status = member.get("status", "Active")
    return "" if status == "Active" else f"{cell_text(str(status))}, not active"
