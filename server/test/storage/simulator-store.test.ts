// The provider simulator's store in PostgreSQL does what every store of the simulator must do.
import { testStore } from '../../../simulator/test/store-cases.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createSimulatorStore } from '../../src/storage/simulator/store.ts'
import { createTestDatabase } from '../database.ts'

testStore('in PostgreSQL', async () => {
  const testDatabase = await createTestDatabase()
  const database = openDatabase({ connection: testDatabase.connection, poolSize: 4 })
  const close = async () => {
    await database.close()
    await testDatabase.drop()
  }
  return { store: createSimulatorStore(database), close }
})
