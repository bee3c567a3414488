"""The addresses that need no membership of a project, and those of what is a person's own."""

PUBLIC = {
    "review:join_panel",
    *("account_login", "account_signup", "account_inactive", "account_logout"),
    *("account_reset_password", "account_reset_password_done", "annotate:join", "favicon"),
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "api_schema",
    "annotate:service_worker",
    "annotate:signed_clip",
}
SIGNED_IN = {
    *("annotate:projects", "annotate:notices", "annotate:notice_choices"),
    *("review:find_project", "account_change_password", "api_reference"),
}
# The site's own pages: everybody but a superuser gets 403 (tests/inference/servers/test_views.py).
OF_SUPERUSERS = {
    *("inference:servers", "inference:new_server", "inference:server", "inference:server_report"),
    *("inference:server_prices", "inference:use_server", "inference:delete_server"),
    "inference:test_server",
}
# Forms that change only what is the person's own.
SIGNED_IN_FORMS = {"annotate:read_notices"}
# Not pages: a member without the file gets 404 too, so these are tested with the views.
MEDIA = {"annotate:media_playback", "annotate:media_poster", "annotate:media_filmstrip"}
# A vote belongs to the reviewer who cast it: other reviewers get 404, everybody else 403.
OWN_VOTE = {"review:vote": "get", "review:change_vote": "post", "review:show_names": "post"}
# Work belongs to the person who holds it: 404 for everybody else, whatever their role.
OWN_WORK = {
    "annotate:work": "get",
    **dict.fromkeys(("annotate:save_draft", "annotate:heartbeat", "annotate:submit"), "post"),
    **dict.fromkeys(("annotate:skip", "annotate:take_again", "annotate:send_back"), "post"),
    **dict.fromkeys(
        ("annotate:split_checks", "annotate:merge_origins", "annotate:write_problems"), "post"
    ),
    **dict.fromkeys(("annotate:ask", "annotate:read_answer", "annotate:guideline_seen"), "post"),
    "annotate:revoke_api_token": "post",
    "annotate:open_notice": "get",
    "annotate:read_notice": "post",
    **dict.fromkeys(("annotate:change_view", "annotate:delete_view"), "post"),
    "review:verify_changes": "post",
    "review:rate": "post",
    "review:judge_pair_again": "post",
    **dict.fromkeys(("review:check_modification", "review:check_elements"), "post"),
    "review:identify_again": "post",
    "review:training_answer": "get",
}
