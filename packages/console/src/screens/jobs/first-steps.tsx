import type { EnvScope } from '@changgu/contract';
import { may } from '../../api/may.ts';
import { environment } from '../../app/preferences.ts';
import { texts } from '../../app/texts.ts';
import { Link } from '../../components/button.tsx';
import { Empty } from '../../components/loaded.tsx';

const words = texts({
  ko: {
    title: '이 환경에서 제출한 작업이 아직 없습니다.',
    catalog: '카탈로그에서 시험해 보기',
    keys: '프로그램에서 사용할 키 발급하기',
    links: '기관의 인증서나 아이디 등록하기',
    account: '테스트 환경 사용 신청하기',
    billing: '요금제 보기 (운영 환경은 유료 요금제에서 사용합니다)',
  },
  en: {
    title: 'No job has been submitted in this environment yet.',
    catalog: 'Try one from the catalog',
    keys: 'Issue a key for your program',
    links: 'Register a certificate or a login of an institution',
    account: 'Request access to the real-test environment',
    billing: 'See the plans (production needs a paid one)',
  },
});

type Step = 'catalog' | 'keys' | 'links' | 'account' | 'billing';

/** In the order in which they are taken. */
const STEPS: Readonly<Record<EnvScope, readonly Step[]>> = {
  sandbox: ['catalog', 'keys'],
  real_test: ['account', 'links', 'keys'],
  production: ['billing', 'links', 'keys'],
};

/** What leads to the first job of the chosen environment. */
export function FirstSteps() {
  const names = words();
  const isOffered: Readonly<Partial<Record<Step, boolean>>> = {
    keys: may('issueAppCredential'),
    links: may('linkCredential'),
    account: may('requestEnvAccess'),
  };
  return (
    <Empty title={names.title}>
      <ul class="stack">
        {STEPS[environment.value]
          .filter((step) => isOffered[step] !== false)
          .map((step) => (
            <li key={step}>
              <Link to={step}>{names[step]}</Link>
            </li>
          ))}
      </ul>
    </Empty>
  );
}
