"""How allauth lets people in: by invitation, never by an open form."""

from allauth.account.adapter import DefaultAccountAdapter


class InvitationOnlyAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request) -> bool:
        return False
