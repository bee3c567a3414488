"""Which views may rely on a signed-in user."""

from tests.addresses import all_views


def test_a_view_takes_a_users_request_unless_visitors_may_open_it():
    ours = {name: view for name, view in all_views().items() if not name.startswith("account_")}
    takes = {name: view.__annotations__["request"] for name, view in ours.items()}
    public = {name for name, view in ours.items() if not getattr(view, "login_required", True)}
    by_link = {"annotate:join", "annotate:signed_clip", "review:join_panel"}
    assert public == {*by_link, "annotate:service_worker", "api_schema", "favicon"}
    assert {name for name, request in takes.items() if request != "UserRequest"} == public
