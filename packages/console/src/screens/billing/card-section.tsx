import type { PaymentMethodRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { may } from '../../api/may.ts';
import { dateTime } from '../../app/format.ts';
import { navigate, place } from '../../app/router.ts';
import { ActButton } from '../../components/act-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loading } from '../../components/loaded.tsx';
import { Facts, Section } from '../../components/page.tsx';
import { billingTexts } from './billing-texts.ts';
import { leaveForCardPage, readCardReturn, registerCard } from './register-card.ts';

interface Props {
  readonly card: PaymentMethodRecord | null;
  readonly onRegistered: () => void;
}

type Outcome =
  | { readonly kind: 'nothing' | 'registering' | 'registered' | 'canceled' | 'foreign' }
  | { readonly kind: 'failed'; readonly error: Error };

/** The registered card, and the way to the provider's page and back. */
export function CardSection({ card, onRegistered }: Props) {
  const words = billingTexts();
  const outcome = useSignal<Outcome>({ kind: 'nothing' });
  useEffect(() => {
    const back = readCardReturn(place.peek().query);
    if (back === null) return;
    // The returned values work once, and are kept neither in the address nor in the history.
    navigate('billing', {}, { replace: true });
    if (back.kind !== 'entered') {
      outcome.value = back;
      return;
    }
    outcome.value = { kind: 'registering' };
    registerCard(back.body).then(
      () => {
        outcome.value = { kind: 'registered' };
        onRegistered();
      },
      (error: Error) => {
        outcome.value = { kind: 'failed', error };
      },
    );
  }, []);
  return (
    <Section title={words.payment}>
      <Notice of={outcome.value} />
      {card === null ? (
        <p class="faint">{words.noCard}</p>
      ) : (
        <Facts
          of={[
            [words.card, `${card.card_company} ${card.masked_card_number}`],
            [words.cardRegistered, dateTime(card.registered_at)],
          ]}
        />
      )}
      <p class="faint">{words.cardAbout}</p>
      {may('createBillingAuthSession') ? (
        <div class="actions">
          <ActButton act={leaveForCardPage}>
            {card === null ? words.registerCard : words.replaceCard}
          </ActButton>
        </div>
      ) : null}
    </Section>
  );
}

function Notice({ of: outcome }: { readonly of: Outcome }) {
  const words = billingTexts();
  switch (outcome.kind) {
    case 'nothing':
      return null;
    case 'registering':
      return <Loading />;
    case 'registered':
      return (
        <p class="notice good" role="status">
          {words.registered}
        </p>
      );
    case 'canceled':
      return (
        <p class="notice" role="status">
          {words.cardCanceled}
        </p>
      );
    case 'foreign':
      return (
        <p class="notice warn" role="status">
          {words.cardForeign}
        </p>
      );
    case 'failed':
      return <ErrorNotice error={outcome.error} />;
  }
}
