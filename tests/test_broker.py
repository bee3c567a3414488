"""The filesystem broker, with somebody who reads while somebody else writes."""

from queue import Empty
from threading import Thread, Timer
from time import monotonic

from kombu import Connection, Consumer, Queue

from config.broker import Channel, filesystem_options

MANY = 400


def test_a_reader_never_sees_half_a_message(tmp_path):
    with Connection("filesystem://", transport_options=filesystem_options(tmp_path)) as connection:
        channel = connection.channel()
        assert isinstance(channel, Channel)
        # Long enough that writing it takes time.
        payloads = [{"number": number, "body": "x" * 20_000} for number in range(MANY)]

        def send():
            for payload in payloads:
                channel._put("cpu", payload)

        sender = Thread(target=send)
        sender.start()
        received = []
        while sender.is_alive() or any((tmp_path / "queue").iterdir()):
            try:
                received.append(channel._get("cpu")["number"])
            except Empty:
                continue
        sender.join()
    assert sorted(received) == list(range(MANY))


def test_a_message_is_found_at_once(tmp_path):
    received = []
    with Connection("filesystem://", transport_options=filesystem_options(tmp_path)) as connection:
        queue = Queue("cpu", no_declare=True)
        with Consumer(connection, [queue], on_message=received.append, no_ack=True):
            began = monotonic()
            message = {"body": "", "properties": {"delivery_tag": "1", "delivery_info": {}}}
            Timer(0.05, connection.channel()._put, ("cpu", message)).start()
            connection.drain_events(timeout=5)
    assert received
    assert monotonic() - began < 0.6
