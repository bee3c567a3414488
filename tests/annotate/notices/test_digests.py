"""The mail that collects notices: at most one a day, none twice, none lost to a failed server."""

from datetime import timedelta
from io import StringIO
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotate.models import Membership, Notice, NoticeChoices
from annotate.notices import digests
from annotate.notices.digests import SentDigests, send_digests
from annotate.notices.services import choose_notices, mark_read
from tests.annotate.notices.noticing import tell
from tests.cast import join, make_project

pytestmark = pytest.mark.django_db
AN_HOUR = 60


@pytest.fixture(autouse=True)
def site(settings):
    settings.VERICAP_SITE = "https://vericap.example"


def a_day_later() -> None:
    NoticeChoices.objects.update(next_mail_at=timezone.now() - timedelta(seconds=1))


class Failing(EmailBackend):
    """A mail server that fails."""

    error: Exception = SMTPServerDisconnected("Connection unexpectedly closed")
    refused = ""

    def send_messages(self, messages):
        if not self.refused or self.refused in messages[0].to:
            raise self.error
        return super().send_messages(messages)


def fails(settings, monkeypatch, error, refused="") -> None:
    monkeypatch.setattr(Failing, "error", error)
    monkeypatch.setattr(Failing, "refused", refused)
    settings.EMAIL_BACKEND = f"{__name__}.Failing"


def test_one_readable_mail_collects_what_waits(project, anna, ben):
    other = make_project("Birds & bees", slug="birds")
    join(other, anna, "annotator")
    first = tell(anna, project, anna, detail="Name the dog's <collar>.", minutes_ago=AN_HOUR)
    third = tell(anna, other, other, text="Your question was answered.", minutes_ago=AN_HOUR)
    second = tell(anna, project, ben, text="You can continue.")
    assert send_digests() == SentDigests(sent=1)
    [message] = mail.outbox
    assert (message.to, message.subject) == (["anna@vericap.example"], "Vericap: 3 notices")
    assert message.body == (
        "Hello Anna,\n\nthis happened in Vericap:\n"
        "\nBirds & bees\n"
        f"\n- Your question was answered.\n  https://vericap.example/notices/{third.pk}/\n"
        "\nDives\n"
        "\n- Your write-up of Clip 1 was sent back to you.\n  Name the dog's <collar>.\n"
        f"  https://vericap.example/notices/{first.pk}/\n"
        f"\n- You can continue.\n  https://vericap.example/notices/{second.pk}/\n"
        "\nYou get at most one such mail a day. Choose what you are told, or turn these mails "
        "off:\nhttps://vericap.example/notices/settings/\n"
    )
    assert message.extra_headers["List-Unsubscribe"] == (
        "<https://vericap.example/notices/settings/>"
    )


def test_nothing_is_sent_twice_and_the_next_mail_waits_a_day(project, anna, ben, emil):
    tell(anna, project, anna, minutes_ago=AN_HOUR)
    assert [send_digests().sent for _ in range(2)] == [1, 0]
    tell(anna, project, ben, minutes_ago=AN_HOUR)
    assert send_digests().sent == 0
    a_day_later()
    assert [send_digests().sent for _ in range(2)] == [1, 0]
    assert [message.subject for message in mail.outbox] == ["Vericap: 1 notice"] * 2


def test_a_process_that_dies_while_sending_sends_nothing_twice(project, anna, monkeypatch):
    class Killed(BaseException):
        pass

    def die(digest):
        raise Killed

    tell(anna, project, anna, minutes_ago=AN_HOUR)
    with monkeypatch.context() as patch:
        patch.setattr(digests, "digest_mail", die)
        with pytest.raises(Killed):
            send_digests()
    a_day_later()
    assert (send_digests().sent, mail.outbox) == (0, [])
    assert anna.notices.get().read_at is None  # the app still shows it


def test_a_failed_server_is_asked_again_later_and_only_once_a_run(
    project, anna, ben, settings, monkeypatch
):
    for person in (anna, ben):
        tell(person, project, anna, minutes_ago=AN_HOUR)
    with monkeypatch.context() as patch:
        fails(settings, patch, SMTPServerDisconnected("Connection unexpectedly closed"))
        assert send_digests() == SentDigests(0, 1, "Connection unexpectedly closed")
        with pytest.raises(CommandError, match="1 not sent: Connection unexpectedly closed"):
            call_command("send_notices", stdout=StringIO())
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_digests().sent == 0  # not before the wait is over
    waits = NoticeChoices.objects.values_list("mail_failures", flat=True)
    assert list(waits) == [1, 1]
    a_day_later()
    out = StringIO()
    call_command("send_notices", stdout=out)
    assert out.getvalue() == "2 digests sent.\n"
    assert list(waits.all()) == [0, 0]


def test_an_address_that_is_refused_stops_nobody_elses_mail(
    project, anna, ben, settings, monkeypatch
):
    tell(anna, project, anna, minutes_ago=2 * AN_HOUR)
    tell(ben, project, anna, minutes_ago=AN_HOUR)
    error = SMTPRecipientsRefused({anna.email: (550, b"No such user")})
    fails(settings, monkeypatch, error, refused=anna.email)
    assert (send_digests().sent, send_digests().failed) == (1, 0)
    assert [message.to for message in mail.outbox] == [[ben.email]]


def test_it_has_only_what_is_unread_and_still_wanted(project, anna, ben, emil, ada):
    read, _, off, kept = (
        tell(anna, project, anna, minutes_ago=AN_HOUR),
        tell(anna, project, ben, minutes_ago=8 * 24 * AN_HOUR),
        tell(anna, project, emil, kind=Notice.Kind.PAY, minutes_ago=AN_HOUR),
        tell(anna, project, ada, text="Kept.", minutes_ago=AN_HOUR),
    )
    mark_read([read])
    choose_notices(person=anna, off_in_app=[], off_by_mail=["pay"])
    assert digests.send_digests().sent == 1
    [message] = mail.outbox
    assert (message.subject, "Kept." in message.body) == ("Vericap: 1 notice", True)
    assert (off.kind, kept.kind) == ("pay", "returned")


def test_what_has_just_happened_is_collected_first(project, anna):
    tell(anna, project, anna, minutes_ago=5)
    assert send_digests().sent == 0


def test_people_who_left_and_sites_without_mail_get_none(project, anna, ben, settings):
    tell(anna, project, anna, minutes_ago=AN_HOUR)
    Membership.objects.filter(user=anna).update(deactivated_at=timezone.now())
    tell(ben, project, anna, minutes_ago=AN_HOUR)
    ben.is_active = False
    ben.save()
    assert (send_digests().sent, mail.outbox) == (0, [])
    settings.VERICAP_SENDS_MAIL = False
    out = StringIO()
    call_command("send_notices", stdout=out)
    assert out.getvalue() == "This site sends no mail: EMAIL_HOST is not set.\n"
