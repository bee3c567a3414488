"""The addresses that need no membership of a project."""

PUBLIC = {
    "review:join_panel",
    *("account_login", "account_signup", "account_inactive", "account_logout"),
    *("account_reset_password", "account_reset_password_done", "annotate:join", "favicon"),
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "api_schema",
    "annotate:service_worker",
}
SIGNED_IN = {
    *("annotate:projects", "annotate:notices", "annotate:notice_choices"),
    *("review:find_project", "account_change_password", "api_reference"),
}
# Forms that change only what is the person's own.
SIGNED_IN_FORMS = {"annotate:read_notices"}
