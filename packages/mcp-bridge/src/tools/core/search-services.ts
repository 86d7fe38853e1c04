import type { CatalogueAction } from '@changgu/sdk/catalogue';
import type { Bridge } from '../../bridge.ts';
import { answer } from '../answer.ts';
import { READS, type Tool } from '../tool.ts';

const MAX_FOUND = 30;

/** Finds services by words, in Korean or English. */
export function searchServices(bridge: Bridge): Tool {
  return {
    name: 'search_services',
    title: '서비스 찾기',
    description:
      'Finds services by words in Korean or English, such as "거래내역", "VAT certificate", "notice". An empty query lists all. Each hit has the id that describe_service and run_service take. Costs nothing.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        institution: { type: 'string', description: 'Institution id' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: READS,
    run: ({ query, institution }) =>
      answer(bridge, async () => {
        const found = findServices(bridge, String(query), institution);
        return {
          data: {
            found: found.length,
            services: found.slice(0, MAX_FOUND).map((one) => hit(bridge, one)),
          },
          ...(found.length > MAX_FOUND ? { warnings: [`The first ${MAX_FOUND} are shown.`] } : {}),
        };
      }),
  };
}

/** Best first: services that have the most of the words; all of them for no word. */
function findServices({ services, institutions }: Bridge, query: string, institution: unknown) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const names = new Map(
    institutions.map(({ provider, title }) => [provider, `${title.ko} ${title.en}`]),
  );
  return [...services.values()]
    .filter(({ provider }) => institution === undefined || provider === institution)
    .map((action) => {
      const { id, toolName, title, description } = action;
      const name = names.get(action.provider) ?? '';
      const heads = [id, toolName, title.ko, title.en, name].join(' ').toLowerCase();
      const texts = [description.ko, description.en].join(' ').toLowerCase();
      const score = words.reduce(
        (sum, word) => sum + (heads.includes(word) ? 3 : texts.includes(word) ? 1 : 0),
        0,
      );
      return { action, score };
    })
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ action }) => action);
}

function hit({ directTools }: Bridge, { id, title, irreversible, needsSession }: CatalogueAction) {
  const tool = directTools.get(id);
  return {
    service: id,
    title: title.ko,
    title_en: title.en,
    ...(tool ? { tool } : {}),
    ...(irreversible ? { irreversible } : {}),
    ...(needsSession ? { needs_login: needsSession } : {}),
  };
}
