"""A latency run of a peer: paced clicks into one topic while the peer writes its results, with "mx", the newest event time in milliseconds of
each result row, into another. The latency of a result row is the time the peer stamped its record with minus mx: of the reader's side
nothing is in it. The first 15 seconds are not counted."""
import json
import os
import subprocess
import time

BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'bin')
WARM_UP = 15


class Pace:
    def __init__(self, broker, seconds, rate=20_000):
        self.broker, self.seconds, self.rate = broker, int(seconds), int(rate)
        self.clicks, self.results = f'pace-{os.getpid()}', f'pace-{os.getpid()}-results'
        self._gen(self.clicks, n=1000)  # makes the topics; these clicks are long past
        self._gen(self.results, n=0)

    def run(self):
        """Lets the peer settle, sends the clicks, waits until their results are out."""
        time.sleep(6)
        self.began = time.time()
        self._gen(self.clicks, rate=self.rate, secs=self.seconds + WARM_UP)
        time.sleep(4)

    def report(self):
        out = subprocess.run([f'{BIN}/readlat', self.broker, self.results, str(int((self.began + WARM_UP) * 1000))],
                             capture_output=True, text=True, check=True).stdout
        return {'events': self.rate * (self.seconds + WARM_UP), 'rate': self.rate, **json.loads(out)}

    def _gen(self, topic, **flags):
        given = [x for k, v in flags.items() for x in (f'-{k}', str(v))]
        subprocess.run([f'{BIN}/gen', '-kafka', self.broker, '-topic', topic, *given], stderr=subprocess.DEVNULL, check=True)
