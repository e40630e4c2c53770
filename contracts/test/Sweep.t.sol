// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Factory} from "../src/Factory.sol";
import {FactoryTest} from "./FactoryTest.sol";
import {FeeToken} from "./tokens/FeeToken.sol";
import {NoReturnToken} from "./tokens/NoReturnToken.sol";
import {Stablecoin} from "./tokens/Stablecoin.sol";
import {StandardToken} from "./tokens/StandardToken.sol";

/// @notice Sweeps in which everyone behaves.
contract SweepTest is FactoryTest {
    StandardToken private token = new StandardToken();

    function testFuzz_a_sweep_moves_the_whole_balance_of_each_wallet(uint128[4] calldata amounts) external {
        uint256 total;
        uint256 funded;
        for (uint256 i = 0; i < amounts.length; ++i) {
            token.mint(_wallet(i + 1), amounts[i]);
            total += amounts[i];
            if (amounts[i] > 0) ++funded;
        }
        vm.assertEq(_sweep(4, address(token)), funded);
        vm.assertEq(token.balanceOf(DESTINATION), total);
        for (uint256 i = 0; i < amounts.length; ++i) {
            vm.assertEq(token.balanceOf(_wallet(i + 1)), 0);
        }
    }

    function testFuzz_a_sweep_moves_native_coins_and_logs_them(uint128[3] calldata amounts) external {
        uint256 total;
        for (uint256 i = 0; i < amounts.length; ++i) {
            vm.deal(_wallet(i + 1), amounts[i]);
            total += amounts[i];
        }
        for (uint256 i = 0; i < amounts.length; ++i) {
            if (amounts[i] == 0) continue;
            vm.expectEmit(address(factory));
            emit Factory.NativeSwept(_wallet(i + 1), amounts[i]);
        }
        _sweep(3, NATIVE);
        vm.assertEq(DESTINATION.balance, total);
    }

    function testFuzz_a_wallet_pays_the_destination_of_its_address(address destination, bytes32 salt) external {
        // Below are the precompiled contracts and cheatcodes of forge.
        vm.assume(uint160(destination) > 0xffff && destination.code.length == 0);
        address wallet = factory.addressOf(destination, salt);
        vm.assume(destination != wallet);
        bytes32[] memory salts = new bytes32[](1);
        salts[0] = salt;
        token.mint(wallet, 5);
        vm.deal(wallet, 6);
        uint256 balance = destination.balance;
        vm.prank(STRANGER);
        factory.sweep(destination, salts, address(token));
        factory.sweep(destination, salts, NATIVE);
        vm.assertEq(token.balanceOf(destination), 5);
        vm.assertEq(destination.balance, balance + 6);
    }

    function test_a_wallet_is_swept_again_for_any_number_of_tokens() external {
        StandardToken other = new StandardToken();
        NoReturnToken third = new NoReturnToken();
        for (uint256 round = 1; round <= 3; ++round) {
            token.mint(_wallet(1), 10);
            other.mint(_wallet(1), 20);
            third.mint(_wallet(1), 30);
            _send(_wallet(1), 40);
            vm.assertEq(_sweep(1, address(token)), 1);
            vm.assertEq(_sweep(1, address(other)), 1);
            vm.assertEq(_sweep(1, address(third)), 1);
            vm.assertEq(_sweep(1, NATIVE), 1);
            vm.assertEq(token.balanceOf(DESTINATION), 10 * round);
            vm.assertEq(other.balanceOf(DESTINATION), 20 * round);
            vm.assertEq(third.balanceOf(DESTINATION), 30 * round);
            vm.assertEq(DESTINATION.balance, 40 * round);
        }
    }

    function test_empty_wallets_are_skipped_and_not_deployed() external {
        token.mint(_wallet(2), 5);
        vm.recordLogs();
        vm.assertEq(_sweep(3, address(token)), 1);
        vm.assertEq(_wallet(1).code.length, 0);
        vm.assertEq(_wallet(2).code.length, 39);
        // The token's log of the transfer.
        vm.assertEq(vm.getRecordedLogs().length, 1);
        vm.assertEq(_sweep(0, address(token)), 0);
    }

    function test_a_salt_given_twice_is_swept_once() external {
        token.mint(_wallet(1), 5);
        bytes32[] memory salts = new bytes32[](2);
        salts[0] = bytes32(uint256(1));
        salts[1] = salts[0];
        vm.assertEq(factory.sweep(DESTINATION, salts, address(token)), 1);
        vm.assertEq(token.balanceOf(DESTINATION), 5);
    }

    function test_a_destination_can_be_a_proxy_wallet() external {
        address next = factory.addressOf(STRANGER, bytes32(uint256(1)));
        _send(factory.addressOf(next, bytes32(uint256(1))), 5);
        vm.assertEq(factory.sweep(next, _salts(1), NATIVE), 1);
        vm.assertEq(factory.sweep(STRANGER, _salts(1), NATIVE), 1);
        vm.assertEq(STRANGER.balance, 5);
    }

    function test_a_token_that_returns_nothing_is_swept() external {
        NoReturnToken usdt = new NoReturnToken();
        usdt.mint(_wallet(1), 5);
        vm.assertEq(_sweep(1, address(usdt)), 1);
        vm.assertEq(usdt.balanceOf(DESTINATION), 5);
    }

    function test_a_token_that_keeps_a_fee_is_swept_to_the_last_unit() external {
        FeeToken taxed = new FeeToken();
        taxed.mint(_wallet(1), 1000);
        vm.assertEq(_sweep(1, address(taxed)), 1);
        vm.assertEq(taxed.balanceOf(_wallet(1)), 0);
        vm.assertEq(taxed.balanceOf(DESTINATION), 990);
    }

    function test_an_authorised_transfer_to_a_wallet_is_swept() external {
        Stablecoin usdc = new Stablecoin();
        address payer = vm.addr(0xA11CE);
        usdc.mint(payer, 100);
        vm.warp(1_000_000);
        bytes32 typeHash = usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH();
        bytes32 structHash = keccak256(abi.encode(typeHash, payer, _wallet(1), 60, 0, 2_000_000, bytes32(uint256(9))));
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(0xA11CE, keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash)));
        usdc.transferWithAuthorization(payer, _wallet(1), 60, 0, 2_000_000, bytes32(uint256(9)), v, r, s);
        vm.assertEq(_sweep(1, address(usdc)), 1);
        vm.assertEq(usdc.balanceOf(DESTINATION), 60);
        vm.assertEq(usdc.balanceOf(payer), 40);
    }
}
