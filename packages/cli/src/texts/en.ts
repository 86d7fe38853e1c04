import { doctorEn } from './doctor-en.ts';
import { inputEn } from './input-en.ts';
import type { Texts } from './ko.ts';
import { systemEn } from './system-en.ts';
import { webLoginEn } from './web-login-en.ts';

/** What the program says in English. */
export const en: Texts = {
  inLanguage: ({ en }) => en,
  error: 'Error',
  warning: 'Warning',
  interrupted: 'Interrupted.',
  didYouMean: (name) => `Did you mean ${name}?`,
  fieldMessage: async (message) => message,
  help: {
    titles: {
      'Usage:': 'Usage:',
      'Arguments:': 'Arguments:',
      'Options:': 'Options:',
      'Global Options:': 'Global Options:',
      'Commands:': 'Commands:',
    },
    examples: 'Examples:',
    exitCodes: 'Exit codes:',
    exitCodeLines: [
      '0 success · 1 failure · 2 invalid input · 3 job ended without success · 4 not logged in or not allowed',
      '6 some accounts failed · 7 busy, retry later · 8 wait timed out, job still running · 130/143 interrupted',
    ],
    more: (command) => `Details of a command: ${command} --help`,
    default: 'default',
  },
  usage: {
    unknownOption: (name) => `Unknown option: ${name}`,
    unknownCommand: (name) => `Unknown command: ${name}`,
    missingArgument: (name) => `Missing argument: ${name}`,
    optionMissingArgument: (name) => `Option requires a value: ${name}`,
    missingMandatoryOptionValue: (name) => `Missing required option: ${name}`,
    excessArguments: 'Too many arguments.',
    invalidArgument: (name) => `Invalid value: ${name}`,
    conflictingOption: (name) => `Options cannot be combined: ${name}`,
  },
  output: {
    empty: 'No results.',
    yes: 'yes',
    no: 'no',
    unknownField: (name) => `Unknown field: ${name}`,
    fields: (names) => `Available fields: ${names}`,
    notApplied: (option) => `${option} does not apply to the output of this command.`,
    notForFile: (option) => `This command writes the file as it is: ${option} does not apply.`,
    onlyFormats: (formats) => `This command supports only these formats: ${formats}`,
    needsFormat: (option, formats) => `${option} requires one of these formats: ${formats}`,
    wrongJq: (why) => `Invalid jq expression: ${why}`,
    hidden: (columns) =>
      `Columns hidden to fit the terminal: ${columns} (use -o csv or --fields to see them)`,
    more: (count) =>
      `Only the first ${count === 1 ? 'one is' : `${count} are`} shown. To see more:`,
    dryRun: 'Nothing was changed (--dry-run).',
    nothingToDo: 'There is nothing to change (--dry-run).',
  },
  config: {
    notToml: (file, why) => `Can't read the configuration: ${file} (${why})`,
    unknownKey: (file, key) => `Unknown key in the configuration: ${key} (${file})`,
    wrongValue: (file, key) => `Invalid value in the configuration: ${key} (${file})`,
    profileName: (name) => `Profile names may contain letters, digits, _ and - only: ${name}`,
    noSuchProfile: (name) => `No such profile: ${name}`,
    profileExists: (name) => `A profile with this name already exists: ${name}`,
    removeAsk: (name, url) => `This removes profile ${name} (${url}) and its credentials.`,
    noBaseUrl: 'No service address is configured.',
    wrongProxy: (variable) =>
      `Write the address of a proxy as http://127.0.0.1:3128. Check the environment variable: ${variable}`,
    baseUrlParts: (url) => `The address must not contain a user name, password or query: ${url}`,
    wrongBaseUrl: (url) => `The address must be https, or http on this machine: ${url}`,
    wrongEnvScope: (value) => `The environment must be sandbox, real_test or production: ${value}`,
    wrongStore: (value) => `The credential store must be keyring or file: ${value}`,
    flagBeatsEnv: (flag, variable) => `${flag} overrides a different value in ${variable}.`,
    sources: {
      flag: 'option',
      environment: 'environment variable',
      project: 'project file',
      profile: 'profile',
      default: 'default',
    },
  },
  login: {
    needed: 'Not logged in.',
    consoleNeeded: 'This command requires a console login.',
    consoleExpired: (at) => `The console login expired at ${at}.`,
    idAlone: 'Set CHANGGU_CLIENT_ID and CHANGGU_CLIENT_SECRET together.',
    otherOrigin: (profile, origin) =>
      `The credentials of profile ${profile} may only be sent to ${origin}.`,
    askBaseUrl: 'Service address',
    askClientId: 'Client ID',
    askClientSecret: 'Client secret',
    askPassword: (email) => `Password for ${email}`,
    askFactorCode: 'Code of the authenticator app, or a recovery code',
    loggingIn: (url, who) => `Logging in to ${url} as ${who}.`,
    refused: 'The service rejected the login. Nothing was saved.',
    checkBoth: 'Check that the ID and the secret or password belong to this service.',
    done: (profile, where) => `Logged in. Profile: ${profile}; credentials stored in: ${where}`,
    keychains: {
      darwin: 'macOS Keychain',
      win32: 'Windows Credential Manager',
      linux: 'system keyring (Secret Service)',
    },
    file: (path) => `file (0600) ${path}`,
    secretOf: (profile, store) => `credentials of profile ${profile} (${store})`,
    noKeyring: (why) => `No system keychain available; storing credentials in a file (${why}).`,
    keyringFailed: (why) => `Can't use the system keychain: ${why}`,
    loggedOut: (profile) => `Logged out: ${profile}`,
    environmentStays:
      'Credentials in environment variables still apply; unset them to stop using them.',
    profileBusy: (profile) =>
      `Another process is changing the credentials of profile ${profile}. Run the command again later.`,
    profileInUse: 'CHANGGU_PROFILE is set and overrides the chosen profile.',
    nothingStored: (profile) => `No stored credentials: ${profile}`,
    noDemo: (file) => `No demo file found: ${file}`,
    notDemo: (file) => `Not a demo file of a dev server: ${file}`,
  },
  webLogin: webLoginEn,
  system: systemEn,
  failures: {
    service: 'the service',
    refused: (where) => `The service refused the connection: ${where}`,
    unknownHost: (where) => `Can't find the host of the service: ${where}`,
    untrusted: (where, code) => `Can't establish a secure connection (TLS): ${where} (${code})`,
    broken: (where, code) => `The connection to the service was lost: ${where} (${code})`,
    silent: (where) => `The service did not respond in time: ${where}`,
    outOfTime: (ms) => `Timed out after ${ms / 1000} s.`,
    redirect: (where, status) =>
      `The service answered with a redirect (${status}), which is not followed to protect the credentials: ${where}`,
    notUnderstood: (where, status) =>
      `The response does not come from a Changgu service (${status}): ${where}`,
    mayBeDone:
      'The service may have done it all the same. Check that before you run the command again.',
    onlyUnprinted: (what) =>
      `Only the output failed: the command has done its work${what && ` (${what})`}. Check before you run it again.`,
    checkAddress: 'Check the address and that the service is running: --base-url, CHANGGU_BASE_URL',
    proxy: (variable) => `Requests go through a proxy; check it as well: ${variable}`,
    retryAfter: (seconds) => `Retry in ${seconds} s.`,
    notUsable: (why) => `Invalid input: ${why}`,
    otherClient: 'The saved submission belongs to another service, environment or client.',
    notEncrypted: (why) => `Failed to encrypt the value: ${why}`,
    fileGone: 'The file has expired or was deleted.',
    fileDamaged: 'The file received differs from what the service announced. Nothing was saved.',
  },
  input: inputEn,
  open: {
    opened: 'Opening it in the browser.',
    unknown: (what) => `There is no page for ${what}`,
  },
  pick: {
    none: (what) => `There is nothing to choose from: ${what}`,
    noMatch: 'No match.',
    keys: (found, all) => `↑↓ to move, Enter to choose, type to search. ${found}/${all}`,
    more: (command) => `    There are more: ${command}`,
  },
  actions: {
    tokens: (count) => `${count} ${count === 1 ? 'token' : 'tokens'}`,
    irreversible: 'irreversible',
    needsSession: (login) => `needs a login session (${login})`,
    selectsAccount: 'runs per account',
    makesFile: 'produces a file',
    type: (name) => name,
  },
  jobs: {
    submitted: (id) => `Submitted: ${id}`,
    replayed: (id) => `Already submitted under this key: ${id}`,
    next: 'Next:',
    stoppedWaiting: (ids) => `Stopped waiting. Still running: ${ids}`,
    waitTimedOut: (ids) => `Timed out waiting. Still running: ${ids}`,
    resultUnread: 'The job succeeded. To read its result:',
    noAnswer: 'The service does not answer; trying again.',
    unheard: (ids) => `Not known to have ended: ${ids}`,
    stillOpen: (ids) => `Still running: ${ids}`,
    noneOpen: (envScope) => `No job is open in ${envScope}. To submit one:`,
    notFound: (ids) => `No such job: ${ids}`,
    noJobId: (given) => `Not a job ID: ${given}`,
    ended: (id, status) => `Job ${id} ended ${status}`,
    cancelAsked: (id) => `Cancellation requested: ${id}`,
    canceled: (id) => `Canceled: ${id}`,
    answerLost: 'To send the same request again without submitting twice, run:',
    answerLostUnstored:
      'The request could not be stored for sending it again. Its key finds the job, if there is one:',
    nothingToResend: (key) => `No submission to resend: ${key}`,
    otherAction: (action) => `The stored submission is of another action: ${action}`,
    files: (count) => `${count} ${count === 1 ? 'file' : 'files'} available.`,
    irreversibleAsk: (title, envScope) =>
      `${title}: this is sent to the institution in ${envScope} and cannot be undone.`,
    unknownAsk: (action, envScope) =>
      `${action}: this is sent to the institution in ${envScope}. It was not checked and may be impossible to undo.`,
    allLinks: 'all links of the institution',
    allAccounts: 'all accounts',
    linesBelow: (count) => `${count} more ${count === 1 ? 'line' : 'lines'} below`,
    waitingFor: (open, all) => `waiting for ${open} of ${all} jobs`,
  },
  bulk: {
    started: (run) => `Started run ${run}`,
    resumed: (run) => `Resuming run ${run}`,
    stopped: 'The run was interrupted. Submitted jobs continue. To resume:',
    retryWith: 'To retry the failed accounts:',
    progress: (ended, all, failed) =>
      `${ended} of ${all} accounts done${failed > 0 ? `, ${failed} failed` : ''}`,
    waitingForRoom: (seconds) => `concurrency limit reached, submitting more in ${seconds} s`,
    summary: (succeeded, failed, open) => `${succeeded} succeeded, ${failed} failed, ${open} open`,
    noSuchRun: (run) => `No such run: ${run}`,
    noRuns: 'No runs yet.',
    damaged: (file) => `The journal is damaged: ${file}`,
    busy: (run, pid) => `Another process (${pid}) is working on run ${run}.`,
    pruned: (count) => `Removed ${count} ${count === 1 ? 'run' : 'runs'}.`,
    otherService: (origin, envScope) =>
      `This run was started at ${origin} in ${envScope}. Use the same service and environment.`,
    finished: (run) => `This run has already finished: ${run}`,
    nothingToRetry: 'There are no accounts to retry.',
    notRetryable: (count) =>
      `Skipped ${count} ${count === 1 ? 'failure' : 'failures'} that a retry would not fix.`,
    selectsNoAccount: (action) => `This action does not run per account: ${action}`,
    interrupted: (why) => `Submission was interrupted: ${why}`,
  },
  files: {
    exists: (path) => `The file already exists: ${path}`,
    force: 'Use --force to overwrite it.',
    noRegular: (path) => `Not a regular file: ${path}`,
    noFolder: (path) => `No such directory: ${path}`,
    binaryTerminal: "Can't write a file to a terminal. Name a file with --to.",
    none: 'There are no files to download.',
    jobOrRun: 'Give either a job ID or --run.',
    oneOnly: 'There are several files. Choose one with --name.',
    noSuchFile: (name) => `No such file: ${name}`,
  },
  receipts: {
    notVerified: (faulty, missing) =>
      [
        ...(faulty > 0
          ? [`${faulty} ${faulty === 1 ? 'receipt' : 'receipts'} failed verification.`]
          : []),
        ...(missing === '' ? [] : [`Missing: ${missing}`]),
      ].join(' '),
    noKeys: (file) => `Not a set of public keys: ${file}`,
  },
  events: {
    goOn: 'To continue from here:',
    unreachable: "Can't connect to the service yet; trying again.",
    disconnected: 'Connection lost; reconnecting.',
    connected: 'Connected.',
    connectedAgain: 'Connected again. No event was missed.',
  },
  webhooks: {
    deleteAsk: (url, id) => `This deletes the webhook to ${url} (${id}) and its delivery log.`,
    deliveryOrTime: 'Give either a delivery or --from.',
    forwardTo: (url) => `The address to forward to must begin with http:// or https://: ${url}`,
    wrongSecret: 'CHANGGU_WEBHOOK_SECRET must be a secret that begins with whsec_.',
    listening: (url, secret, publicKey) =>
      [
        `Forwarding events to ${url} until Ctrl-C.`,
        `Secret: ${secret}`,
        `Public key: ${publicKey}`,
      ].join('\n'),
  },
  programs: {
    notInstalled: (name) => `${name} is not installed.`,
    install: (name) => `Install it: npm install --global ${name}`,
    notKept: (settings) =>
      `The host starts the bridge with a profile alone, so this would not apply: ${settings}. Name a profile that has it with --profile.`,
    notKeptInProject: (settings) =>
      `The host starts the bridge where the project's changgu.toml applies, so this would not apply: ${settings}. Change changgu.toml.`,
  },
  accounts: {
    unlinkAsk: (provider, label, id) =>
      `This unlinks ${provider} "${label}" (${id}) and deletes its stored credentials.`,
    removeAsk: (accountNo, id) => `This removes bank account ${accountNo} (${id}).`,
    revokeAsk: (label, id) => `This permanently revokes key "${label}" (${id}).`,
    removeMemberAsk: (email, id) =>
      `This closes the account of ${email} (${id}). It cannot be undone.`,
    handOverAsk: (email, id) => `This makes ${email} (${id}) the owner, and you an ADMIN.`,
    invited: (email) => `Invitation sent to ${email}.`,
    handOverLink: 'The service sends no email: pass the link on yourself. It is shown only once.',
    askOwnPassword: 'Your password',
    confirmFactor: 'Add the secret to your authenticator app, then run:',
    codesOnce:
      'Each recovery code works once in place of the app. They are shown only once: store them in a safe place.',
    removeFactorAsk: 'This removes the second factor and ends all your logins, this one included.',
    noUserId: (given) => `Not a user ID: ${given}`,
    noUser: (id) => `No user with this ID: ${id}`,
    noKey: (id) => `No key with this ID: ${id}`,
    deleteFilesAsk: (action, id) => `This deletes all files of job ${id} (${action}).`,
    secretOnce: 'The secret is shown only once. Store it in a safe place.',
    secretLost:
      'This output would leave out the secret, which can never be shown again. Nothing was issued. Run it again with -o json.',
    whichKind:
      'Choose one: a certificate (--cert, --key or --p12), a login (--login) or a consent (--consent-code).',
    wrongKind: (provider, kinds) => `${provider} can't be linked this way. Supported: ${kinds}`,
    certificatesEnd: (count) =>
      `${count} ${count === 1 ? 'certificate has' : 'certificates have'} expired or will expire within 30 days.`,
  },
  doctor: doctorEn,
};
