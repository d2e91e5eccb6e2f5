/** The languages with texts of their own. Other languages get the text of the bot's own language, else English. */
export const refusalLanguages = ['en', 'de', 'fr', 'es', 'ar'] as const;

/** What the customer reads. `{min}` and `{max}` stand for limits. */
export type RefusalTexts = Record<(typeof refusalLanguages)[number], string>;

/** The texts of the reasons for which the engine refuses an answer, whatever its type. */
export const commonRefusals = {
  required: {
    en: 'Please answer this question.',
    de: 'Bitte beantworten Sie diese Frage.',
    fr: 'Veuillez répondre à cette question.',
    es: 'Responda a esta pregunta.',
    ar: 'يرجى الإجابة عن هذا السؤال.',
  },
  empty: {
    en: 'Please write an answer.',
    de: 'Bitte schreiben Sie eine Antwort.',
    fr: 'Veuillez écrire une réponse.',
    es: 'Escriba una respuesta.',
    ar: 'يرجى كتابة إجابة.',
  },
  'too-long': {
    en: 'Please write at most {max} characters.',
    de: 'Bitte schreiben Sie höchstens {max} Zeichen.',
    fr: 'Veuillez écrire au plus {max} caractères.',
    es: 'Escriba como máximo {max} caracteres.',
    ar: 'يرجى كتابة {max} من الأحرف على الأكثر.',
  },
} satisfies Record<string, RefusalTexts>;

export type CommonReason = keyof typeof commonRefusals;
