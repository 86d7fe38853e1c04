import type { AccountLinkRecord } from '@changgu/contract';
import { loadCatalogue } from '@changgu/contract/catalogue';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { parseJsonObject } from '../../app/parse-json-object.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Section } from '../../components/page.tsx';
import { plainText } from '../job/result-rows.ts';
import { linkScreenTexts } from './link-screen-texts.ts';

interface Props {
  readonly link: AccountLinkRecord;
  readonly onDone: () => void;
}

/** The institution's assets that this link uses. The service checks keys and types. */
export function SelectedAssets({ link, onDone }: Props) {
  const words = linkScreenTexts();
  const isChanging = useSignal(false);
  const selected = Object.entries(link.selected_assets ?? {});
  return (
    <Section
      title={words.assets}
      actions={
        may('selectAssets') ? (
          <Button onClick={() => (isChanging.value = true)}>{words.changeAssets}</Button>
        ) : null
      }
    >
      {selected.length === 0 ? (
        <p class="faint">{words.noAssets}</p>
      ) : (
        <Facts of={selected.map(([key, value]) => [key, plainText(key, value)] as const)} />
      )}
      {isChanging.value ? (
        <ChangeAssets link={link} onDone={onDone} onClose={() => (isChanging.value = false)} />
      ) : null}
    </Section>
  );
}

function ChangeAssets({ link, onDone, onClose }: Props & { readonly onClose: () => void }) {
  const words = linkScreenTexts();
  const { account_link_id, provider, selected_assets: now } = link;
  const keys = useResource(provider, () => keysOf(provider));
  return (
    <Dialog title={words.assets} onClose={onClose}>
      <p class="faint">{words.assetsAbout}</p>
      {/* With its keys: what comes later would take back what was typed. */}
      <Loaded of={keys}>
        {(names) => (
          <Form
            submitLabel={words.saveAssets}
            onSubmit={async (values) => {
              const typed = textOf(values, 'selected_assets') ?? '{}';
              const chosen = parseJsonObject('selected_assets', typed);
              const isEmpty = Object.keys(chosen).length === 0;
              await call('selectAssets', {
                params: { account_link_id },
                body: { selected_assets: isEmpty ? null : chosen },
              });
              onClose();
              onDone();
            }}
          >
            <TextArea
              label={words.assetsJson}
              hint={words.assetKeys(names.join(', '))}
              name="selected_assets"
              rows={8}
              value={JSON.stringify(now ?? {}, null, 2)}
            />
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
}

async function keysOf(provider: string): Promise<string[]> {
  const { actions } = await loadCatalogue();
  const own = [...actions.values()].filter(({ id }) => id.startsWith(`${provider}.`));
  return [...new Set(own.flatMap(({ params }) => Object.keys(params.properties)))].toSorted();
}
