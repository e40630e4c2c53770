// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Factory} from "../src/Factory.sol";
import {Wallet} from "../src/Wallet.sol";
import {FactoryTest} from "./FactoryTest.sol";
import {StandardToken} from "./tokens/StandardToken.sol";

/// @notice Addresses of proxy wallets, what their code is and what they accept.
contract WalletsTest is FactoryTest {
    StandardToken private token = new StandardToken();

    /// @dev The code of `Proxy`, by hand.
    function _runtime(address implementation) private pure returns (bytes memory) {
        return abi.encodePacked(hex"36600557005b363d3d373d3d363d73", implementation, hex"5af43df3");
    }

    function testFuzz_an_address_follows_from_factory_destination_and_salt(address destination, bytes32 salt)
        external
        view
    {
        vm.assume(destination != address(0));
        bytes memory runtime = _runtime(factory.WALLET());
        bytes32 codeHash = keccak256(abi.encodePacked(hex"60278060093d393df3", runtime));
        bytes32 innerSalt = keccak256(abi.encode(destination, salt));
        bytes32 hash = keccak256(abi.encodePacked(hex"ff", address(factory), innerSalt, codeHash));
        vm.assertEq(factory.PROXY_INIT_CODE_HASH(), codeHash);
        vm.assertEq(factory.addressOf(destination, salt), address(uint160(uint256(hash))));
    }

    function test_an_address_is_equal_on_two_chains() external {
        vm.chainId(1);
        address onEthereum = _wallet(1);
        vm.chainId(8453);
        vm.assertEq(_wallet(1), onEthereum);
    }

    function test_the_implementation_is_the_first_contract_of_the_factory() external view {
        bytes32 hash = keccak256(abi.encodePacked(hex"d694", address(factory), hex"01"));
        vm.assertEq(factory.WALLET(), address(uint160(uint256(hash))));
    }

    function testFuzz_wallets_of_different_destinations_or_salts_differ(
        address destination,
        address otherDestination,
        bytes32 salt,
        bytes32 otherSalt
    ) external view {
        vm.assume(destination != address(0) && otherDestination != address(0));
        vm.assume(destination != otherDestination || salt != otherSalt);
        address wallet = factory.addressOf(destination, salt);
        vm.assertTrue(wallet != factory.addressOf(otherDestination, otherSalt));
    }

    function test_a_wallet_has_the_39_bytes_of_the_proxy() external {
        token.mint(_wallet(1), 5);
        _sweep(1, address(token));
        vm.assertEq(_wallet(1).code, _runtime(factory.WALLET()));
        vm.assertEq(_wallet(1).code.length, 39);
    }

    function test_coins_are_accepted_with_2300_gas_before_and_after_deployment() external {
        vm.deal(address(this), 100);
        payable(_wallet(1)).transfer(7);
        vm.assertEq(_sweep(1, NATIVE), 1);
        payable(_wallet(1)).transfer(8);
        vm.assertTrue(payable(_wallet(1)).send(9));
        vm.assertEq(_wallet(1).balance, 17);
        vm.assertEq(_sweep(1, NATIVE), 1);
        vm.assertEq(DESTINATION.balance, 24);
    }

    function test_coins_with_data_are_accepted_before_and_after_deployment() external {
        vm.deal(address(this), 100);
        (bool before,) = _wallet(1).call{value: 3}("invoice 17");
        _sweep(1, NATIVE);
        (bool afterwards,) = _wallet(1).call{value: 4}("invoice 18");
        vm.assertTrue(before && afterwards);
        vm.assertEq(_sweep(1, NATIVE), 1);
        vm.assertEq(DESTINATION.balance, 7);
    }

    function test_a_wallet_is_no_receiver_of_nfts() external {
        token.mint(_wallet(1), 1);
        _sweep(1, address(token));
        bytes memory hook =
            abi.encodeWithSignature("onERC721Received(address,address,uint256,bytes)", this, this, 1, "");
        (, bytes memory answer) = _wallet(1).call(hook);
        vm.assertEq(answer.length, 0);
    }

    function test_neither_factory_nor_implementation_accepts_coins() external {
        vm.assertFalse(_send(address(factory), 1));
        vm.assertFalse(_send(factory.WALLET(), 1));
    }

    function test_the_zero_address_is_no_destination() external {
        vm.expectRevert(Factory.InvalidDestination.selector);
        factory.addressOf(address(0), bytes32(0));
        vm.expectRevert(Factory.InvalidDestination.selector);
        factory.sweep(address(0), _salts(1), NATIVE);
    }

    function testFuzz_only_the_factory_makes_a_wallet_pay(address caller) external {
        vm.assume(caller != address(factory));
        address wallet = _wallet(1);
        Wallet implementation = Wallet(factory.WALLET());
        token.mint(wallet, 5);
        _sweep(1, address(token));
        token.mint(wallet, 6);
        vm.prank(caller);
        (bool success, bytes memory answer) = wallet.call(abi.encodeCall(Wallet.pay, (address(token), caller, 6)));
        vm.assertTrue(success);
        vm.assertEq(answer.length, 0);
        vm.assertEq(token.balanceOf(wallet), 6);
        vm.prank(caller);
        vm.expectRevert(Wallet.NotFactory.selector);
        implementation.pay(address(token), caller, 0);
    }

    function testFuzz_no_call_of_a_stranger_changes_a_wallet(bytes calldata data, uint64 value) external {
        address wallet = _wallet(1);
        token.mint(wallet, 5);
        _sweep(1, address(token));
        token.mint(wallet, 6);
        _send(wallet, 7);
        vm.deal(STRANGER, value);
        vm.prank(STRANGER);
        (bool success,) = wallet.call{value: value}(data);
        vm.assertTrue(success);
        vm.assertEq(token.balanceOf(wallet), 6);
        vm.assertEq(wallet.balance, uint256(value) + 7);
        vm.assertEq(wallet.code, _runtime(factory.WALLET()));
    }
}
