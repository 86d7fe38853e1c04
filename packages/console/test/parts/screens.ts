import { describe, expect, it } from 'vitest';
import { settled } from '../support/open-browser.ts';
import { faultsOf } from '../support/page-faults.ts';
import type { Stage } from '../support/stage.ts';

export function describeScreens(stage: Stage): void {
  describe('every screen, at every width, in every theme and language', () => {
    const LOOKS = [360, 1280].flatMap((width) =>
      (['light', 'dark'] as const).flatMap((colorScheme) =>
        (['ko', 'en'] as const).map((language) => ({ width, colorScheme, language })),
      ),
    );

    it.each(LOOKS)('is accessible and fits: $width px, $colorScheme, $language', async (look) => {
      const { page } = stage.owner;
      const job = await stage.server.submit('bank_a.accounts.list', { outcome: 'FAILED' });
      await page.setViewportSize({ width: look.width, height: 800 });
      await page.emulateMedia({ colorScheme: look.colorScheme });
      await page.evaluate(
        ([key, language]) => {
          const kept = JSON.parse(localStorage.getItem(key ?? '') ?? '{}');
          localStorage.setItem(key ?? '', JSON.stringify({ ...kept, language }));
        },
        ['changgu.preferences', look.language],
      );
      const link = `links/${stage.server.account_links.bank_a}`;
      const action = 'catalog/bank_b.accounts.transaction_history.search';
      const paths = [
        '',
        'jobs',
        `jobs/${job}`,
        'runs',
        'links',
        link,
        'catalog',
        action,
        'keys',
        'webhooks',
        'money',
      ];
      await stage.owner.go('');
      for (const path of [...paths, 'people', 'audit', 'account', 'nowhere']) {
        await page.evaluate((to) => {
          window.history.pushState(null, '', new URL(to, document.baseURI));
          window.dispatchEvent(new PopStateEvent('popstate'));
        }, path);
        await settled(page);
        expect(await faultsOf(page), path).toEqual([]);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  });
}
