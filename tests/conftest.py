"""How Hypothesis runs: the same examples each time, and no verdict that hangs on the clock.

`pytest --hypothesis-profile=explore` draws new and more examples instead.
"""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # In the background of a script, which the processes that the tests start would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
