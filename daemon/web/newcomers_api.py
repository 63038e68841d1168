"""`POST /unconfirmed`: a referee confirms or removes users who were added with a code.

The body is `{"confirm": ["ann"], "remove": ["eve"]}`, either key alone will
do: names, so that a page decides on those whom it shows and on no others.
"""

from aiohttp import web

from daemon.people.newcomers import confirm, remove
from daemon.people.users import Users, UsersError
from daemon.web.auth import Authenticator, Handler, body_of, refuse
from engine import jsontext
from engine.refusals import Refusal


def newcomers(door: Authenticator, users: Users) -> Handler:
    """The handler; `guard` has made sure that a referee asks."""

    async def answer(request: web.Request) -> web.StreamResponse:
        asked = jsontext.parse(await body_of(request))
        if isinstance(asked, Refusal):
            return refuse(asked, 400)
        if not isinstance(asked, dict) or not asked or not asked.keys() <= {"confirm", "remove"}:
            return refuse(Refusal("bad_value", 'Send {"confirm": ["ann"]}, {"remove": ["eve"]}, or both.'), 400)
        confirmed, removed = _names(asked.get("confirm", [])), _names(asked.get("remove", []))
        if confirmed is None or removed is None:
            return refuse(Refusal("bad_value", "Users are named in a list, by the names in the topic."), 400)
        # A referee reads the referee's code, and with it could come in a second time to confirm themself.
        asker = None if door.is_here(request) else await door.user(request)
        if asker is not None and asker.unconfirmed is not None:
            return refuse(
                Refusal(
                    "not_allowed",
                    f"You are not confirmed yet: ask another referee, or type `oche access confirm {asker.name}` "
                    "at the machine.",
                )
            )
        try:
            users.change(lambda known: confirm(remove(known, removed), confirmed))
        except UsersError as error:
            return refuse(Refusal("disk", str(error)), 507)
        return web.json_response({"ok": True})

    return answer


def _names(value: object) -> frozenset[str] | None:
    """The names in a list; None where it is not a list of names."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return None
    return frozenset(value)
