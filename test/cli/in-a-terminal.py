"""Runs a command in a pseudo-terminal of a given width: what it shows goes to stdout, what comes on stdin is typed."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

listening = [terminal, 0]
while True:
    ready, _, _ = select.select(listening, [], [])
    if 0 in ready:
        typed = os.read(0, 1024)
        if typed:
            os.write(terminal, typed)
        else:
            listening.remove(0)
    if terminal in ready:
        try:
            shown = os.read(terminal, 65536)
        except OSError:
            break
        if not shown:
            break
        os.write(1, shown)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
