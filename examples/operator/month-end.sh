#!/bin/sh
# Every account's transactions of the last 30 days, as one JSON line per account.
#   month-end.sh [action] [day]
# Safe to run again on the same day, however it ended: the key follows from action and day, so no account is submitted
# twice, and jobs that exist are read again. After midnight, name the day of the run that you continue.
# Needs CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET and CHANGGU_ENV_SCOPE.
set -u
changgu="${CHANGGU:-changgu}"
action="${1:-bank_c.accounts.transaction_history.search}"
day="${2:-$(date +%Y-%m-%d)}"

$changgu all-accounts run "$action" --idempotency-key "month-end $action $day" --output ndjson --no-input
code=$?
case $code in
  0) echo "All accounts are done." >&2 ;;
  6) echo "Some accounts failed; see the lines above. Try them again with: changgu all-accounts resume last --retry-failed" >&2 ;;
  7) echo "The service is busy and took nothing. Run this again later." >&2 ;;
  2 | 4) ;;
  *) echo "Not every account is done. Run this again for $day." >&2 ;;
esac
exit $code
