/**
 * Claim: a tool call costs little more than the REST calls that do the same, in time and in tokens.
 * Run: node --conditions=@changgu/source bench/mcp.ts [calls]
 */
import { measureEndpoint } from './support/mcp-endpoint.ts';

const calls = Number(process.argv[2] ?? 300);

const { submit, result, toolsList } = await measureEndpoint(calls);
const ratio = ({ tool, rest }: { tool: number; rest: number }) =>
  `${tool.toFixed(2)} ms against ${rest.toFixed(2)} ms, ${(tool / rest).toFixed(2)} ×`;
console.log(`POST /mcp, submit only, against POST /v1/jobs: ${ratio(submit)}`);
console.log(`POST /mcp to the result, against submit, wait and result: ${ratio(result)}`);
console.log(
  `tools/list of POST /mcp: ${toolsList.tools} tools, ${toolsList.characters} characters (${toolsList.modelCharacters} for the model), ${toolsList.ms.toFixed(2)} ms`,
);
