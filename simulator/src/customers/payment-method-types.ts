// The kinds of payment methods that Stripe knows. Only cards are simulated; the rest can be named where a kind is asked for.
import { oneOf } from '../api/form.ts'

const bankTransfers = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
]
const redirects = [
  'alipay',
  'bancontact',
  'bizum',
  'blik',
  'eps',
  'fpx',
  'giropay',
  'ideal',
  'p24',
  'pay_by_bank',
]
const later = [
  'affirm',
  'afterpay_clearpay',
  'alma',
  'billie',
  'klarna',
  'scalapay',
  'sequra',
  'sunbit',
  'zip',
]
const wallets = [
  ...['amazon_pay', 'cashapp', 'crypto', 'grabpay', 'kakao_pay', 'link', 'mb_way', 'mobilepay', 'naver_pay'],
  ...[
    'payco',
    'paypal',
    'paypay',
    'revolut_pay',
    'samsung_pay',
    'satispay',
    'sofort',
    'swish',
    'twint',
    'wechat_pay',
  ],
]
const vouchers = ['boleto', 'konbini', 'multibanco', 'oxxo', 'paynow', 'payto', 'pix', 'promptpay', 'upi']

export const paymentMethodType = oneOf(
  'card',
  'kr_card',
  'customer_balance',
  ...bankTransfers,
  ...redirects,
  ...later,
  ...wallets,
  ...vouchers,
)
