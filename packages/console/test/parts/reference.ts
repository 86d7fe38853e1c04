import { describe, expect, it } from 'vitest';
import { visit } from '../support/open-browser.ts';
import type { Stage } from '../support/stage.ts';

export function describeReference(stage: Stage): void {
  describe('the API reference', () => {
    it('leads nowhere outside, shows SDK and CLI, and knows the demo key', async () => {
      const { page, sent, context } = await visit(stage.browser, stage.server);
      await page.goto(`${stage.server.base_url}/docs#tag/jobs/POST/v1/jobs`);
      await page.waitForSelector('h3:has-text("Submit a job")');
      for (const words of ['Ask AI', 'Generate MCP', 'Share', 'Deploy', 'Developer Tools']) {
        expect(await page.getByRole('button', { name: words, exact: true }).count(), words).toBe(0);
      }
      expect(await page.locator('a[href*="scalar.com"]:visible').count()).toBe(0);
      const samples = page.locator('section[id*="POST/v1/jobs"] button:has-text("Shell Curl")');
      await samples.first().click();
      const offered = page.getByRole('option');
      await offered.first().waitFor();
      expect(await offered.allTextContents()).toEqual(expect.arrayContaining(['SDK', 'CLI']));
      expect(await page.content()).toContain(stage.server.client.client_id);
      const outside = sent.filter(
        (request) => !request.startsWith(stage.server.base_url) && !/^(data|blob):/.test(request),
      );
      expect(outside).toEqual([]);
      await context.close();
    });
  });
}
