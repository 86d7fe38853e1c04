import type { InstitutionRecord } from '@changgu/contract';
import {
  type CatalogueAction,
  type JsonObjectSchema,
  type JsonSchema,
  loadCatalogue,
  paramText,
} from '@changgu/contract/catalogue';
import { actionNameOf, useInstitutions } from '../../api/institution-list.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { language } from '../../app/preferences.ts';
import type { ScreenProps } from '../../app/screens.ts';
import { Badge } from '../../components/badge.tsx';
import { Link } from '../../components/button.tsx';
import { CallAsCode } from '../../components/call-as-code.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { exampleParams } from './example-params.ts';
import { TryAction } from './try-action.tsx';

export function ActionScreen({ id }: ScreenProps) {
  const words = catalogTexts();
  const institutions = useInstitutions();
  const catalog = useResource(id, async () => (await loadCatalogue()).actions.get(id) ?? null);
  return (
    <Page
      title={actionNameOf(institutions.data?.items, id)}
      about={id}
      actions={<Link to="catalog">{words.back}</Link>}
    >
      <Loaded of={catalog}>
        {(action) =>
          action === null ? (
            <Loaded of={institutions}>{({ items }) => <Undescribed id={id} of={items} />}</Loaded>
          ) : (
            <>
              <About action={action} />
              <Uses id={id} schema={action.params} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

interface UndescribedProps {
  readonly id: string;
  readonly of: readonly InstitutionRecord[];
}

/** An action of an operator's own institution, or a mistyped address. */
function Undescribed({ id, of }: UndescribedProps) {
  const words = catalogTexts();
  const isOffered = of.some(({ actions }) => actions.some(({ action }) => action === id));
  if (!isOffered) return <p class="notice">{words.noSuch}</p>;
  return (
    <>
      <p class="notice">{words.unknown}</p>
      <Uses id={id} schema={null} />
    </>
  );
}

interface UsesProps {
  readonly id: string;
  readonly schema: JsonObjectSchema | null;
}

function Uses({ id, schema }: UsesProps) {
  const words = catalogTexts();
  const provider = id.split('.', 1)[0] ?? '';
  const params = schema === null ? {} : exampleParams(schema);
  return (
    <>
      <Section title={words.tryIt}>
        {may('issueAppCredential') ? (
          <TryAction action={id} provider={provider} params={params} schema={schema} />
        ) : (
          <p class="faint">{words.needsRole}</p>
        )}
      </Section>
      <Section title={words.code}>
        <CallAsCode action={id} provider={provider} envScope="sandbox" params={params} />
      </Section>
    </>
  );
}

function About({ action }: { readonly action: CatalogueAction }) {
  const words = catalogTexts();
  const { [language.value]: description } = action.description;
  return (
    <>
      <section class="card">
        <p>{description}</p>
        <div class="row">
          {action.irreversible ? <Badge tone="warn">{words.irreversible}</Badge> : null}
          <Badge tone="idle">
            {words.tokens} {action.usageTokens}
          </Badge>
          {action.loginAction === null ? null : <span>{words.loginFirst(action.loginAction)}</span>}
        </div>
      </section>
      <Params action={action} />
    </>
  );
}

function Params({ action }: { readonly action: CatalogueAction }) {
  const words = catalogTexts();
  const { properties, required = [] } = action.params;
  const rows = Object.entries(properties);
  const secrets = Object.entries(action.encryptedFields);
  return (
    <Section title={words.params}>
      {rows.length === 0 ? (
        <p class="faint">{words.noParams}</p>
      ) : (
        <Table
          caption={words.params}
          rows={rows}
          keyOf={([name]) => name}
          columns={[
            {
              title: words.param,
              isHeading: true,
              cell: ([name]) => (
                <span class="row">
                  <code>{name}</code>
                  {required.includes(name) ? <Badge tone="busy">{words.required}</Badge> : null}
                </span>
              ),
            },
            { title: words.type, cell: ([, schema]) => <code>{typeOf(schema)}</code> },
            { title: words.description, cell: ([, schema]) => paramText(schema, language.value) },
          ]}
        />
      )}
      {secrets.length === 0 ? null : (
        <>
          <h3>{words.secrets}</h3>
          <Facts of={secrets.map(([name, text]) => [name, text[language.value]] as const)} />
        </>
      )}
    </Section>
  );
}

function typeOf({ type, enum: values }: JsonSchema): string {
  if (Array.isArray(values)) return [...new Set(values.map(String))].join(' | ');
  return [type ?? 'any'].flat().map(String).join(' | ');
}
