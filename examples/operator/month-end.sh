#!/bin/sh
# Every account's transactions of the last 30 days, as one JSON line per account.
# Safe to run again: an interrupted run is resumed, and no account is submitted twice.
# Needs CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET and CHANGGU_ENV_SCOPE.
set -u
changgu="${CHANGGU:-changgu}"
action="${1:-bank_c.accounts.transaction_history.search}"

$changgu all-accounts run "$action" --output ndjson --no-input
code=$?
case $code in
  0) echo "All accounts are done." >&2 ;;
  6) echo "Some accounts failed; see the lines above. Try them again with: changgu all-accounts resume last --retry-failed" >&2 ;;
  7) echo "The service is busy. Run this again later." >&2 ;;
esac
exit $code
