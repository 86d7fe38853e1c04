/** The client that the suite starts: it hands the address to the test, which logs in there, and waits. */
const [door = '', address = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env;
// The others judge hosts that call tools.
if (scenario.startsWith('auth/')) {
  const answer = await fetch(door, { method: 'POST', body: address });
  process.exitCode = Number(await answer.text());
}

export {};
