import { call } from '../../api/call.ts';
import { dateTime } from '../../app/format.ts';
import { SelectField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Facts, Section } from '../../components/page.tsx';
import { serviceTexts } from './service-texts.ts';

const STEPS = [60, 3_600, 86_400, 604_800, 2_678_400] as const;

interface Props {
  readonly now: string;
  readonly onAdvanced: () => void;
}

/** Business time of a dev server. It only goes forward. */
export function TestClock({ now, onAdvanced }: Props) {
  const words = serviceTexts();
  return (
    <Section title={words.clock}>
      <p class="faint">{words.clockAbout}</p>
      <Facts of={[[words.now, dateTime(now)]]} />
      <Form
        submitLabel={words.advance}
        onSubmit={async (values) => {
          await call('advanceTestClock', { body: { seconds: Number(textOf(values, 'seconds')) } });
          onAdvanced();
        }}
      >
        <SelectField
          label={words.by}
          name="seconds"
          options={STEPS.map((seconds) => [String(seconds), words.steps[seconds]] as const)}
        />
      </Form>
    </Section>
  );
}
