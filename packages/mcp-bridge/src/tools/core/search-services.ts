import { type CatalogueAction, searchActions } from '@changgu/sdk/catalogue';
import type { Bridge } from '../../bridge.ts';
import { answer } from '../answer.ts';
import { READS, type Tool } from '../tool.ts';
import { unknownInstitution } from '../unknown-institution.ts';

const PAGE_SIZE = 20;

/** Finds services by what people call them, in Korean or English. */
export function searchServices(bridge: Bridge): Tool {
  return {
    name: 'search_services',
    title: '서비스 찾기',
    description:
      'Finds services by what people call them: "통장", "부가세 증명", "4대보험", "VAT certificate". An empty query lists all. Each hit has the id that describe_service and run_service take. Costs nothing.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', maxLength: 200 },
        institution: { type: 'string', description: 'Institution id' },
        cursor: { type: 'integer', minimum: 0 },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: READS,
    async run({ query, institution, cursor }) {
      const named = { tool: 'search_services', arguments: { query } };
      const unknown = await unknownInstitution(bridge, institution, named);
      if (unknown) return unknown;
      return answer(bridge, async () => {
        await bridge.offering.refresh();
        const { services, institutions } = bridge.offering.now;
        const all = [...services.values()].filter(
          ({ provider }) => institution === undefined || provider === institution,
        );
        const found = searchActions(all, institutions, String(query));
        const from = typeof cursor === 'number' ? cursor : 0;
        const end = from + PAGE_SIZE;
        const again = { query, ...(institution === undefined ? {} : { institution }), cursor: end };
        return {
          data: {
            found: found.length,
            services: found.slice(from, end).map((one) => hit(bridge, one)),
          },
          ...(found.length > end
            ? { next: [{ tool: 'search_services', arguments: again, why: 'further services' }] }
            : {}),
        };
      });
    },
  };
}

function hit({ offering }: Bridge, { id, title, irreversible, needsSession }: CatalogueAction) {
  const tool = offering.now.directTools.get(id);
  return {
    service: id,
    title: title.ko,
    title_en: title.en,
    ...(tool ? { tool } : {}),
    ...(irreversible ? { irreversible } : {}),
    ...(needsSession ? { needs_login: needsSession } : {}),
  };
}
