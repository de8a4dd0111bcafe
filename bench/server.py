"""A wmsql server of a benchmark: started on a free port over a folder that is deleted afterwards."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

BIN = os.environ.get('WMSQL_BIN') or os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bin', 'wmsql')
TICK = os.sysconf('SC_CLK_TCK')


class Server:
    def __init__(self, *flags):
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        self.dir = tempfile.mkdtemp(prefix='wmsql-bench-')
        self.log = os.path.join(self.dir, 'log')
        with open(self.log, 'w') as log:
            self.process = subprocess.Popen([BIN, 'start', '--data', self.dir + '/data', '--listen', f'127.0.0.1:{self.port}', *flags],
                                            stdout=log, stderr=log)

    def __enter__(self):
        for _ in range(100):
            try:
                self.sql('SELECT 1')
                return self
            except RuntimeError as e:
                error = e
                time.sleep(0.1)
        self.__exit__()
        raise error

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        shutil.rmtree(self.dir, ignore_errors=True)

    def sql(self, text):
        """Runs statements in psql; returns the rows of the answers as lists of text."""
        r = subprocess.run(['psql', '-XAtq', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', str(self.port), '-U', 'wmsql', '-d', 'wmsql'],
                           input=text, text=True, capture_output=True)
        if r.returncode:
            raise RuntimeError(r.stderr)
        return [line.split('\t') for line in r.stdout.splitlines()]

    def cpu(self):
        """CPU seconds of the server's process."""
        with open(f'/proc/{self.process.pid}/stat') as f:
            fields = f.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def peak_mb(self):
        """The greatest resident memory of the server's process."""
        with open(f'/proc/{self.process.pid}/status') as f:
            return next(int(line.split()[1]) / 1024 for line in f if line.startswith('VmHWM'))
