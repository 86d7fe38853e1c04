#!/bin/sh
# Every account's transactions of one month, as one JSON line per account.
#   month-end.sh [action] [YYYY-MM]
# The month is the previous one in Korea unless named. It must have ended: a period cannot reach into the future.
# Safe to run again, however it ended: the key follows from action and month, so no account is submitted twice, and
# jobs that exist are read again. Name the month where the run continues in a later one.
# Needs changgu (in the repository: CHANGGU=./changgu), and CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET
# and CHANGGU_ENV_SCOPE.
set -u
changgu="${CHANGGU:-changgu}"
action="${1:-bank_c.accounts.transaction_history.search}"
month="${2:-}"

if [ -z "$month" ]; then
  now=$(TZ=KST-9 date +%Y-%m)
  number=${now#*-}
  # Months before this one since the year 0. With its zero, 08 would be read as octal.
  past=$((${now%-*} * 12 + ${number#0} - 2))
  month=$(printf '%04d-%02d' $((past / 12)) $((past % 12 + 1)))
fi
year=${month%-*}
case $month in
  [0-9][0-9][0-9][0-9]-02) days=$((28 + (year % 4 == 0 && year % 100 != 0 || year % 400 == 0))) ;;
  [0-9][0-9][0-9][0-9]-0[469] | [0-9][0-9][0-9][0-9]-11) days=30 ;;
  [0-9][0-9][0-9][0-9]-0[13578] | [0-9][0-9][0-9][0-9]-1[02]) days=31 ;;
  *)
    echo "usage: month-end.sh [action] [YYYY-MM]" >&2
    exit 2
    ;;
esac
first="$year${month#*-}01"
last="$year${month#*-}$days"

$changgu all-accounts run "$action" --param from_date="$first" --param to_date="$last" \
  --idempotency-key "month-end $action $month" --output ndjson --no-input
code=$?
case $code in
  0) echo "All accounts are done." >&2 ;;
  6)
    # By now there may be runs of other banks, so `last` would be a guess.
    run=$($changgu runs list --fields run,action | awk -F '\t' -v action="$action" '$2 == action { print $1; exit }')
    echo "Some accounts failed; see the lines above. Try them again with: $changgu all-accounts resume $run --retry-failed" >&2
    ;;
  7) echo "The service is busy and took nothing. Run this again later." >&2 ;;
  2 | 4) ;;
  126 | 127) echo "Cannot run $changgu. In the repository, set CHANGGU=./changgu." >&2 ;;
  *) echo "Not every account is done. Run this again for $month." >&2 ;;
esac
exit $code
