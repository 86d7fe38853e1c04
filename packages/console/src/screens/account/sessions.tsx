import type { SessionRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { leave } from '../../api/sign-in.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { date, dateTime } from '../../app/format.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { accountTexts } from './account-texts.ts';

export function Sessions() {
  const words = accountTexts();
  const ending = useSignal<SessionRecord | 'all' | null>(null);
  const sessions = useResource('', (signal) => call('listSessions', { signal }));
  return (
    <Section
      title={words.sessions}
      actions={<Button onClick={() => (ending.value = 'all')}>{words.endAll}</Button>}
    >
      <Loaded of={sessions}>
        {({ items }) => <SessionTable sessions={items} onEnd={(each) => (ending.value = each)} />}
      </Loaded>
      {ending.value === null ? null : (
        <EndSession
          of={ending.value}
          onClose={() => (ending.value = null)}
          onDone={sessions.reload}
        />
      )}
    </Section>
  );
}

interface EndProps {
  readonly of: SessionRecord | 'all';
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function EndSession({ of: target, onClose, onDone }: EndProps) {
  const words = accountTexts();
  return (
    <Confirm
      title={target === 'all' ? words.endAll : words.endTitle}
      confirmLabel={target === 'all' ? words.endAll : words.end}
      consequences={<p>{target === 'all' ? words.endAllWhat : words.endWhat(deviceOf(target))}</p>}
      onClose={onClose}
      onConfirm={async () => {
        if (target === 'all') {
          await call('logout', { body: { everywhere: true } });
          leave();
          return;
        }
        await call('endSession', { params: { session_id: target.session_id } });
        onDone();
      }}
    />
  );
}

interface TableProps {
  readonly sessions: readonly SessionRecord[];
  readonly onEnd: (session: SessionRecord) => void;
}

function SessionTable({ sessions, onEnd }: TableProps) {
  const words = accountTexts();
  return (
    <Table
      caption={words.sessions}
      rows={sessions}
      keyOf={({ session_id: id }) => id}
      columns={[
        {
          title: words.device,
          isHeading: true,
          cell: (each) => (
            <span class="row">
              {deviceOf(each)}
              {each.current ? <Badge tone="busy">{words.thisOne}</Badge> : null}
            </span>
          ),
        },
        { title: words.address, cell: ({ address }) => <code>{address}</code> },
        { title: words.started, cell: ({ created_at: at }) => dateTime(at) },
        { title: words.lastUsed, cell: ({ last_used_on: day }) => date(day) },
        { title: words.expires, cell: ({ expires_at: at }) => dateTime(at) },
        {
          title: common().actions,
          isTitleHidden: true,
          cell: (each) =>
            each.current ? null : (
              <Button
                look="quiet"
                label={`${words.end}: ${deviceOf(each)} ${each.address}`}
                onClick={() => onEnd(each)}
              >
                {words.end}
              </Button>
            ),
        },
      ]}
    />
  );
}

/** The recognizable part of a user agent; whatever it contains is shown as text. */
function deviceOf({ user_agent: agent, kind }: SessionRecord): string {
  if (agent === null) return kind;
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\/\d+/.exec(agent)?.[0];
  const system = /Windows|Macintosh|Android|iPhone|iPad|Linux/.exec(agent)?.[0];
  return browser === undefined
    ? agent.slice(0, 60)
    : `${browser.replace('/', ' ')}, ${system ?? '?'}`;
}
